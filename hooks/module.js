// @ts-check
// PsychMem inside Claude Code (2.1.287 and later): says what PsychMem has prepared in files, asks `psychmem` for the rest, and
// decides nothing. The command hooks beside it stay the base: whatever is missing, refused, stale or broken here, they say it.
//
// Names of events, of environment variables and of what is called on `$` stand in full: the client reads them off the source.

/** @typedef {import('claude-code').EngineInterface} Engine */
/** What has to be as it was for a prepared brief to hold: files with their marks, and the rest; of that nothing where only the hook can say.
 * @typedef {{ watched: Record<string, string> }} Head
 * @typedef {{ day?: number, env: Record<string, string>, watched: Record<string, string>, health: string, budget: string }} Ours */
/** @typedef {{ id: string, text: string }} Memory */
/** @typedef {{ kept: Memory[], waiting: Memory[], fading: Memory[] }} Today */

const DAY_MS = 86_400_000
const LOOKED_FOR_MS = [1500, 4000, 9000] // after a turn: what was kept is known when our child has read the conversation
const READ_AFTER_MS = 2500
const READ_MS = 90_000
const ANSWER_TOKENS = 6000
const TOAST_MS = 8000
const PANE = 'psychmem'
const COMMANDS = [
  { name: 'memories', description: 'what PsychMem remembers', argumentHint: '[words]' },
  { name: 'remember', description: 'have PsychMem keep a statement', argumentHint: 'STATEMENT' },
  { name: 'forget', description: 'take a memory back: the last one kept, or one by its id', argumentHint: '[id]' },
]
const PERSONS = ['composer', 'bridge'] // a person's own Enter, here or at a distance

let toldAt = 0 // when what was kept last was kept
/** @type {string[]} */
let lately = [] // ids of what the last notice named; `/forget` without a word takes them back
/** @type {Today} */
let shown = { kept: [], waiting: [], fading: [] }
let asked = 0 // when what the client's model was last asked to read was left
let answer = '' // of `psychmem` to the last button pressed

/** @param {import('claude-code').On} on @param {import('claude-code').PluginOptions} options */
export function register(on, options) {
  const budget = String(options?.['budget'] ?? '') // our command hook gets it as a setting
  on('classic.SessionStart', async ($, e, next) => {
    const text = await brief($, e.source, e.cwd, budget)
    if (text === undefined) return next(e)
    await $.env.set('PSYCHMEM_ANSWERED', `${e.session_id} inject`) // our command hook reads it and takes notes only
    try {
      const said = await next(e)
      return text ? { ...said, additionalContext: [...(said.additionalContext ?? []), text] } : said
    } finally {
      await $.env.set('PSYCHMEM_ANSWERED', undefined)
    }
  })

  on('prompt.submit', async ($, e, next) => {
    await $.env.set('PSYCHMEM_TYPED_BY', `${await $.session.id()} ${e.origin.kind}`) // only the client knows it; our command hook notes it
    try {
      return await next(e)
    } finally {
      await $.env.set('PSYCHMEM_TYPED_BY', undefined)
    }
  })

  on('session.start', async ($, e, next) => {
    const started = await next(e)
    toldAt = Date.now() / 1000
    for (const command of COMMANDS) await $.command.register(command).catch(() => {}) // one whose name is taken leaves the others
    return started
  })

  on('turn.complete', async ($, e, next) => {
    const done = await next(e)
    if (e.agentId) return done
    for (const ms of LOOKED_FOR_MS) $.clock.after(ms, () => tellKept($))
    $.clock.after(READ_AFTER_MS, () => read($)) // from a timer no prompt waits for it, not even in a run without a terminal
    return done
  })

  on('command.run', { command: 'memories' }, async ($, e) => {
    const words = e.args.trim()
    if (words) return display(await people($, ['search', '--', words], isPerson(e)))
    await look($)
    const { isPlaced } = await $.ui.open({ id: PANE, title: 'Memory', closeOnEscape: true }).catch(() => ({ isPlaced: false }))
    return display(isPlaced ? 'what came today stands beside' : await people($, ['today'], isPerson(e)))
  })
  on('command.run', { command: 'remember' }, async ($, e) => {
    const text = e.args.trim()
    const told = text ? await people($, ['remember', '--', text], isPerson(e)) : 'say what: /remember STATEMENT'
    const id = told.match(/^remembered ([0-9a-f]+) /)?.[1]
    lately = id ? [id] : lately
    return display(told)
  })
  on('command.run', { command: 'forget' }, async ($, e) => {
    const ids = e.args.trim() ? e.args.trim().split(/\s+/) : lately
    if (!ids.length) return display('nothing was kept just now; /forget ID, with an id that /memories shows')
    lately = []
    return display(await people($, ['forget', '--', ...ids], isPerson(e)))
  })

  on('ui.render', { component: 'Pane', requestId: PANE }, async ($, e) => pane($, e))
}

/** @param {{ origin: { kind: string } }} e */
const isPerson = (e) => PERSONS.includes(e.origin.kind)
/** @param {string} text */
const display = (text) => ({ text, isTextDisplayOnly: /** @type {const} */ (true) }) // no model reads it

/** What `psychmem` says. A person's command speaks for the person, any other for the agent.
 * @param {Engine} $ @param {string[]} words @param {boolean} person @param {string} stdin */
async function people($, words, person, stdin = '') {
  const env = person ? { CLAUDECODE: '', OPENCODE: '', COLUMNS: '110' } : await $.process.hookEnv()
  try {
    const { stdout, stderr } = await $.process.run([`${$.plugin.root}/hooks/people`, ...words], { env, stdin, timeoutMs: 20_000 })
    return (stdout || stderr).trimEnd()
  } catch (error) {
    return `psychmem could not be started: ${error}`
  }
}

/** One notice of what the last turn brought, if it brought anything.
 * @param {Engine} $ */
async function tellKept($) {
  try {
    const { at, told, ids } = JSON.parse(await $.fs.read(`${await folder($)}/kept-${await $.session.id()}.json`))
    if (at <= toldAt || !Array.isArray(ids)) return // of another version
    toldAt = at
    lately = ids
    $.ui.toast(`${told} · undo: /forget`, { timeoutMs: TOAST_MS })
  } catch {} // nothing was kept in this session
}

/** Puts what waits to be read, if the person switched that on, before the client's small model, and brings the answer back.
 * @param {Engine} $ */
async function read($) {
  try {
    const { at } = JSON.parse(await $.fs.read(`${await folder($)}/judge.json`))
    if (at === asked) return
    asked = at
    const request = await people($, ['judge', '--verdicts'], true)
    if (!request.startsWith('{')) return
    const said = await $.model.complete({ model: 'haiku', prompt: request, maxTokens: ANSWER_TOKENS, timeoutMs: READ_MS })
    const reply = said.isAnswered ? said.text : '' // without an answer the call counts as a failure, so that it rests for a while
    await people($, ['judge', '--verdicts'], true, JSON.stringify({ request, reply }))
  } catch {} // nothing waits
}

/** Where PsychMem's prepared files are.
 * @param {Engine} $ @returns {Promise<string>} */
async function folder($) {
  const { CLAUDE_PLUGIN_DATA: ours } = await $.process.hookEnv()
  return JSON.parse(await $.fs.read(`${ours}/prepared.json`)).folder
}

/** @param {Engine} $ */
async function look($) {
  try {
    const { kept, waiting, fading } = JSON.parse(await people($, ['today', '--json'], true))
    if ([kept, waiting, fading].every(Array.isArray)) shown = { kept, waiting, fading }
    else answer = 'the psychmem on this machine is of another version than this plugin: upgrade both (docs/install.md)'
  } catch (error) {
    answer = String(error)
  }
}

/** Today's memories, what waits and what fades, each with what a person may do about it.
 * @param {Engine} $ @param {import('claude-code').RenderInput<'Pane'>} e @returns {import('claude-code').RenderElement} */
function pane($, e) {
  const { Box, Text, Button } = $.ui.resolve(e)
  /** @param {string} label @param {string} key @param {string[]} words */
  const button = (label, key, words) =>
    h(Button, {
      key,
      label,
      onPress: async () => {
        answer = (await people($, words, true)).split('\n')[0] ?? ''
        await look($)
        $.ui.invalidate('ui.render')
      },
    })
  /** @param {string} title @param {Memory[]} memories @param {string} keep */
  const group = (title, memories, keep) => [
    h(Text, { bold: true }, `${title}${memories.length ? '' : ': nothing'}`),
    ...memories.map(({ id, text }) =>
      h(
        Box,
        { key: id, flexDirection: 'column' },
        h(Text, {}, text),
        h(Box, { gap: 1 }, button('keep', `keep ${id}`, [keep, '--', id]), button('forget', `forget ${id}`, ['forget', '--', id])),
      ),
    ),
  ]
  const drawn = h(
    Box,
    { flexDirection: 'column' },
    ...group('Kept today', shown.kept, 'good'),
    ...group('Pending', shown.waiting, 'accept'),
    ...group('About to fade', shown.fading, 'good'),
    h(Text, { dimColor: true }, answer),
    button('undo', 'undo', ['undo']),
  )
  return /** @type {import('claude-code').RenderElement} */ (drawn)
}

/** The brief prepared for a start in this directory, "" for nothing to say; undefined when the command hook has to say it.
 * @param {Engine} $ @param {string} source @param {string} cwd @param {string} budget @returns {Promise<string | undefined>} */
async function brief($, source, cwd, budget) {
  if (!['startup', 'clear', 'compact'].includes(source)) return // what a resumed session was told stands in its transcript
  try {
    const [at, env] = await Promise.all([folder($), environment($)]) // each call on `$` is a way to the client and back
    const [head, made] = (await $.fs.read(`${at}/start-${encodeURIComponent(cwd)}.json`)).split('\n').map((line) => JSON.parse(line))
    if (made.module.budget !== budget || !(await holds($, head, made.module, env))) return
    const [text] = made[source === 'compact' ? 'compact' : 'startup'] ?? ['']
    return text
  } catch {
    return
  }
}

/** What of the environment a brief depends on.
 * @param {Engine} $ @returns {Promise<Record<string, string | undefined>>} */
async function environment($) {
  const [home, database, disable, config, memory] = await Promise.all([
    $.env.get('PSYCHMEM_HOME'),
    $.env.get('PSYCHMEM_DB_PATH'),
    $.env.get('PSYCHMEM_DISABLE'),
    $.env.get('CLAUDE_CONFIG_DIR'),
    $.env.get('CLAUDE_CODE_DISABLE_AUTO_MEMORY'),
  ])
  return { PSYCHMEM_HOME: home, PSYCHMEM_DB_PATH: database, PSYCHMEM_DISABLE: disable, CLAUDE_CONFIG_DIR: config, CLAUDE_CODE_DISABLE_AUTO_MEMORY: memory }
}

/** Whether everything is as it was when this was prepared.
 * @param {Engine} $ @param {Head} head @param {Ours} ours @param {Record<string, string | undefined>} now */
async function holds($, head, { day, env, watched, health }, now) {
  if (day !== Math.floor(Date.now() / DAY_MS)) return false
  if (Object.entries(now).some(([name, value]) => (value ?? '') !== (env[name] ?? ''))) return false
  const [records, ...marks] = await Promise.all([
    $.fs.list(health).catch(() => []),
    ...Object.entries({ ...head.watched, ...watched }).map(async ([path, mark]) => (await markOf($, path)) === mark.replace(/\d{6} /, ' ')),
  ])
  return marks.every(Boolean) && !records.some(({ name }) => /\.(failed|remark)$/.test(name))
}

/** Time and size of a file as text, "" where there is none. Our mark has nanoseconds, which no number holds here.
 * @param {Engine} $ @param {string} path */
async function markOf($, path) {
  try {
    const { mtimeMs, size } = await $.fs.stat(path)
    return `${Math.floor(mtimeMs)} ${size}`
  } catch {
    return ''
  }
}
