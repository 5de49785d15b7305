// @ts-check
// PsychMem inside Claude Code (2.1.287 and later): says what PsychMem has prepared in files, asks `psychmem` for the rest, and
// decides nothing. The command hooks beside it stay the base: whatever is missing, refused, stale or broken here, they say it.
//
// Names of events, of environment variables and of what is called on `$` stand in full: the client reads them off the source.

/** What was prepared for a session's start, and what has to be as it was for it to hold.
 * @typedef {{ version: string, day: number, env: Record<string, string>, watched: Record<string, string>, health: string, start: string, compact: string }} Prepared */

const DAY_MS = 86_400_000

/** @param {import('claude-code').On} on */
export function register(on) {
  on('classic.SessionStart', async ($, e, next) => {
    const text = await brief($, e.source, e.cwd)
    if (text === undefined) return next(e)
    await $.env.set('PSYCHMEM_ANSWERED', `${e.session_id} inject`) // our command hook reads it and takes notes only
    try {
      const said = await next(e)
      return text ? { ...said, additionalContext: [...(said.additionalContext ?? []), text] } : said
    } finally {
      await $.env.set('PSYCHMEM_ANSWERED', undefined)
    }
  })
}

/** The brief prepared for a start in this directory, "" for nothing to say; undefined when the command hook has to say it.
 * @param {import('claude-code').EngineInterface} $ @param {string} source @param {string} cwd @returns {Promise<string | undefined>} */
async function brief($, source, cwd) {
  if (!['startup', 'clear', 'compact'].includes(source)) return // what a resumed session was told stands in its transcript
  try {
    const { CLAUDE_PLUGIN_DATA: ours } = await $.process.hookEnv()
    const { folder } = JSON.parse(await $.fs.read(`${ours}/prepared.json`))
    /** @type {Prepared} */
    const prepared = JSON.parse(await $.fs.read(`${folder}/start-${encodeURIComponent(cwd)}.json`))
    if (!(await holds($, prepared))) return
    return source === 'compact' ? prepared.compact : prepared.start
  } catch {
    return
  }
}

/** Whether everything is as it was when this was prepared.
 * @param {import('claude-code').EngineInterface} $ @param {Prepared} prepared */
async function holds($, { day, env, watched, health }) {
  if (day !== Math.floor(Date.now() / DAY_MS)) return false
  const now = {
    PSYCHMEM_HOME: await $.env.get('PSYCHMEM_HOME'),
    PSYCHMEM_DB_PATH: await $.env.get('PSYCHMEM_DB_PATH'),
    PSYCHMEM_DISABLE: await $.env.get('PSYCHMEM_DISABLE'),
    CLAUDE_CONFIG_DIR: await $.env.get('CLAUDE_CONFIG_DIR'),
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: await $.env.get('CLAUDE_CODE_DISABLE_AUTO_MEMORY'),
  }
  if (Object.entries(now).some(([name, value]) => (value ?? '') !== (env[name] ?? ''))) return false
  for (const [path, mark] of Object.entries(watched)) {
    if ((await markOf($, path)) !== mark) return false
  }
  const records = await $.fs.list(health).catch(() => [])
  return !records.some(({ name }) => name.endsWith('.failed'))
}

/** Time and size of a file as text, "" where there is none.
 * @param {import('claude-code').EngineInterface} $ @param {string} path */
async function markOf($, path) {
  try {
    const { mtimeMs, size } = await $.fs.stat(path)
    return `${Math.floor(mtimeMs)} ${size}`
  } catch {
    return ''
  }
}
