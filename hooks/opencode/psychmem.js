// PsychMem for OpenCode 1.x and 2.x: hands events and texts to `psychmem-hook`, and what comes back to the model.
// It decides nothing. Whatever fails here costs the person nothing but one notice: a hook that throws would fail the turn,
// one that hangs would freeze the client, and a byte on stdout would spoil `opencode run --format json`.
import { spawn } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"

const INSTALLED = /* psychmem:command */ [] // written by `psychmem install --opencode`
const LIMIT_MS = { inject: 3000, prompt: 2000, "subagent-start": 2000, before: 2000, "tool-after": 2000, kept: 1000, "pre-compact": 20000 }
const LOOKED_FOR_MS = [3000, 9000] // after a turn: what was kept is known when our child has read the conversation
const TELL_MS = 10_000 // whoever only takes a note is done in a fraction of it
const MOST_CHARS = 1_000_000 // of a reply: a program that never stops would take the client's memory, then the client
const KEPT_MESSAGES = 200 // handed over in case the client's database cannot be read
const AGENT_TOOLS = ["task", "subagent", "background_task", "delegate_task", "call_omo_agent"]
const SHELLS = ["bash", "shell"]
const READERS = ["read"]
const LOOKERS = [...READERS, "grep", "glob", "list", "lsp", "question", "skill", "todoread"] // break no rule
const AGENTS_OF_ITS_OWN = /^You are a (title generator|context summarization agent)/

function command() {
  if (process.env.PSYCHMEM_HOOK) return [process.env.PSYCHMEM_HOOK]
  if (INSTALLED.length && fs.existsSync(INSTALLED[0])) return INSTALLED
  const local = path.join(os.homedir(), ".local", "bin", "psychmem-hook")
  return [fs.existsSync(local) ? local : "psychmem-hook"]
}

// The reply's text, or "" when there is none in time.
const ask = async (event, payload) => String((await reply(event, payload)).text ?? "")

// The reply, {} when there is none in time. A process that takes longer is ended.
function reply(event, payload) {
  return new Promise((resolve) => {
    let said = "", child
    const end = (text) => {
      clearTimeout(timer)
      try { resolve(Object(JSON.parse(text || "{}"))) } catch { resolve({}) }
    }
    const timer = setTimeout(() => { endGroup(child); end('{"late": true}') }, LIMIT_MS[event])
    try {
      const [program, ...first] = command()
      child = spawn(program, [...first, "--agent", "opencode", event], { detached: true, stdio: ["pipe", "pipe", "ignore"] })
      child.on("error", (error) => { missing(error); end("") })
      child.stdin.on("error", () => {})
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (part) => { if ((said += part).length > MOST_CHARS) endGroup(child) })
      child.on("close", () => end(said))
      child.stdin.end(JSON.stringify(payload))
    } catch (error) { missing(error); end("") }
  })
}

// A launcher and what it started: each is spawned as the first of a group of its own.
function endGroup(child) {
  try { process.kill(-child.pid, "SIGKILL") } catch {}
}

// Work that outlives the client: a pipe to it would be cut, so the payload is a file that has lost its name already.
function tell(event, payload) {
  let file
  try {
    const name = path.join(os.tmpdir(), `psychmem-${process.pid}-${Date.now()}-${Math.random().toString(36).slice(2)}`)
    file = fs.openSync(name, "wx+", 0o600)
    fs.unlinkSync(name)
    const bytes = Buffer.from(JSON.stringify(payload))
    for (let at = 0; at < bytes.length;) at += fs.writeSync(file, bytes, at, bytes.length - at, at) // positioned: the child reads from 0
    const [program, ...first] = command()
    const child = spawn(program, [...first, "--agent", "opencode", event], { detached: true, stdio: [file, "ignore", "ignore"] })
    child.on("error", missing)
    const timer = setTimeout(() => endGroup(child), TELL_MS)
    timer.unref?.()
    child.on("exit", () => clearTimeout(timer))
    child.unref()
  } catch (error) { missing(error) } finally { try { if (file !== undefined) fs.closeSync(file) } catch {} }
}

let notice = () => {}
let noticed = false
function missing(error) {
  if (noticed) return
  noticed = true
  try { notice(`PsychMem could not be started (${error?.code ?? "error"}); run: psychmem doctor`) } catch {}
}

const isDisabled = () => /^(1|true|yes|on)$/i.test(process.env.PSYCHMEM_DISABLE ?? "")
const quietly = (hook) => async (...args) => { try { return await hook(...args) } catch {} }
// What the work comes to, or undefined when it fails or takes longer: a client that is closing answers in either way.
const within = (ms, work) => Promise.race([quietly(work)(), new Promise((resolve) => setTimeout(resolve, ms))])
const typed = (parts) => parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored).map((part) => part.text).join("\n")

// What both clients' halves know of their sessions; `lookUp` gives the client's own record of one.
function conversations(directory, worktree, lookUp, warn = () => {}) {
  const briefs = new Map() // session -> the brief's promise: the same bytes for every step, until a compaction
  const parented = new Map() // session -> whether a model began it, not a person

  const about = (session) => ({ session, cwd: directory, worktree })
  const begun = (info) => parented.set(info.id, Boolean(info.parentID))
  async function isParented(session) {
    if (!parented.has(session)) {
      const info = await within(1000, () => lookUp(session))
      if (!info) return false // not known in time: asked again next time
      begun({ id: session, parentID: info.parentID })
    }
    return parented.get(session)
  }
  async function brief(session, source = "startup", anew = false) { // anew: after one that came too late
    if (source !== "startup" || !briefs.has(session)) briefs.set(session, reply("inject", { ...about(session), source }))
    const { text, late } = await briefs.get(session)
    if (late && anew) return briefs.delete(session), brief(session)
    return String(text ?? "")
  }
  const refused = new Map() // session -> calls that wait for the person's word: call as text -> why
  const answered = (session) => refused.delete(session) // the person spoke
  const rules = new Map() // call -> the rule of the person's that it may break, for behind its output
  const unsaid = new Map() // session -> rules of calls that threw, which have no output: they stand behind the next one's
  // Before a call: its task gets what it calls for, its rule is looked up. Throws where the person wants to be asked first, the one
  // way to stop a call: it fails with these words, which the agent reads.
  async function beforeCall(session, call, tool, input) {
    const same = JSON.stringify([tool, input?.command ?? input])
    const still = refused.get(session)?.get(same)
    if (still) throw new Error(refusal(still))
    const found = await quietly(async () => {
      const payload = { ...about(session), call }
      if (typeof input?.prompt === "string" && (AGENT_TOOLS.includes(tool) || input.subagent_type)) {
        const text = await ask("subagent-start", { ...payload, text: input.prompt })
        if (text) input.prompt = `${input.prompt}\n\n${text}`
      }
      if (!LOOKERS.includes(tool)) {
        const found = await reply("before", { ...payload, tool, input })
        if (found.text) rules.set(call, String(found.text))
        if (found.ask) warn(String(found.ask))
        return found
      }
    })()
    if (!found?.ask) return
    refused.set(session, (refused.get(session) ?? new Map()).set(same, found.ask))
    throw new Error(refusal(found.ask))
  }
  // After a call: a note of it; what is to stand behind its output, of its rule and of what was said at a file that was read.
  async function afterCall(session, call, tool, input, error) {
    const rule = joined(unsaid.get(session), rules.get(call))
    rules.delete(call)
    unsaid.delete(session)
    if (tool === "question") answered(session)
    const payload = { ...about(session), call, tool, input: telling(input), error }
    if (!(error ? SHELLS : READERS).includes(tool)) return tell("tool-after", payload), rule
    const said = await ask("tool-after", payload)
    return joined(rule, said)
  }
  function threw(session, call) {
    if (rules.has(call)) unsaid.set(session, joined(unsaid.get(session), rules.get(call)))
    rules.delete(call)
  }
  return { about, afterCall, answered, beforeCall, begun, brief, isParented, threw }
}

const joined = (...said) => said.filter(Boolean).join("\n\n")

// Behind what a tool gave: a text, or the pieces of an MCP server's answer.
function putBehind(result, said) {
  if (typeof result?.output === "string") result.output = `${result.output}\n\n${said}`
  else if (Array.isArray(result?.content)) result.content.push({ type: "text", text: said })
}

async function server({ client, directory, worktree }) {
  if (isDisabled()) return {}
  const warn = notice = (message) => { client.tui?.showToast?.({ body: { title: "PsychMem", message, variant: "warning" } })?.catch?.(() => {}) }
  const { about, afterCall, answered, beforeCall, begun, brief, isParented, threw } = conversations(
    directory, worktree, async (session) => (await client.session.get({ path: { id: session } }))?.data, warn)
  const compacting = new Set() // sessions that a summariser is about to read
  const expanded = new Map() // session -> texts that slash commands put into the person's mouth
  const pending = new Set() // work that `dispose` waits for
  const idle = new Map() // session -> timer: idle comes twice after an error
  const untold = new Set() // sessions in which something was said that nobody has taken up
  const talked = new Set() // sessions in which anything was said: they end with the client, which tells of no other end

  async function extract(session) {
    if (await isParented(session)) return
    const found = await within(2000, () => client.session.messages({ path: { id: session }, query: { limit: KEPT_MESSAGES } }))
    tell("stop", { ...about(session), messages: found?.data ?? [] })
    for (const ms of LOOKED_FOR_MS) setTimeout(quietly(() => tellKept(session)), ms).unref?.()
  }
  async function tellKept(session) { // the reply comes once, and never for what waits
    const message = await ask("kept", about(session))
    if (message) client.tui?.showToast?.({ body: { title: "PsychMem", message, variant: "info" } })?.catch?.(() => {})
  }
  function later(work) {
    const promise = work().catch(() => {}).finally(() => pending.delete(promise))
    pending.add(promise)
  }
  const flush = (session) => { clearTimeout(idle.get(session)); idle.delete(session); untold.delete(session); later(() => extract(session)) }

  return {
    "command.execute.before": quietly(async (input, output) => {
      const texts = output.parts.filter((part) => part.type === "text").map((part) => part.text)
      expanded.set(input.sessionID, [...(expanded.get(input.sessionID) ?? []), ...texts].slice(-20))
    }),
    "chat.message": quietly(async (input, output) => {
      const made = expanded.get(input.sessionID) ?? []
      for (const part of output.parts) {
        if (part.type === "text" && made.includes(part.text)) part.metadata = { ...part.metadata, psychmem: "command" } // stored with the part
      }
      if (await isParented(input.sessionID)) return
      const text = typed(output.parts.filter((part) => part.metadata?.psychmem !== "command"))
      if (!text.trim()) return
      untold.add(input.sessionID)
      talked.add(input.sessionID)
      answered(input.sessionID)
      await brief(input.sessionID, "startup", true) // first: the prompt must not repeat what the brief says
      const found = await ask("prompt", { ...about(input.sessionID), message: output.message.id, text })
      const last = output.parts.at(-1)
      if (found && last?.id) {
        const id = last.id.slice(0, -14) + "z".repeat(14) // parts stand in the order of their ids
        output.parts.push({ id, sessionID: input.sessionID, messageID: output.message.id, type: "text", text: found, synthetic: true })
      }
    }),
    "experimental.chat.system.transform": quietly(async (input, output) => {
      if (!input.sessionID || AGENTS_OF_ITS_OWN.test(output.system[0] ?? "") || (await isParented(input.sessionID))) return
      const text = await brief(input.sessionID)
      if (text) output.system.push(text)
    }),
    "shell.env": quietly(async (input, output) => {
      if (!input.sessionID) return
      output.env.OPENCODE_SESSION_ID = input.sessionID // `psychmem remember --quote` looks the words up there
      output.env.OPENCODE_SESSION_FOLDER = directory // and shows an agent that has left it no other project
    }),
    "tool.execute.before": (input, output) => beforeCall(input.sessionID, input.callID, input.tool, output.args),
    "tool.execute.after": quietly(async (input, output) => {
      const exit = output?.metadata?.exit
      const failed = typeof exit === "number" && exit !== 0
      const error = failed ? `Exit code ${exit}\n${whole(output.output ?? "", 4000)}` : ""
      const said = await afterCall(input.sessionID, input.callID, input.tool, input.args, error)
      if (said) putBehind(output, said)
    }),
    "experimental.session.compacting": quietly(async (input, output) => {
      const found = await within(2000, () => client.session.messages({ path: { id: input.sessionID }, query: { limit: KEPT_MESSAGES } }))
      if (await isParented(input.sessionID)) return
      await ask("pre-compact", { ...about(input.sessionID), messages: found?.data ?? [] })
      compacting.add(input.sessionID) // what we said must not become part of the summary: the next call is told it anew
      await brief(input.sessionID, "compact")
    }),
    "experimental.chat.messages.transform": quietly(async (_input, output) => {
      if (!output.messages.some(({ info }) => compacting.has(info?.sessionID))) return
      for (const { parts } of output.messages) {
        for (const part of parts) {
          if (typeof part.text === "string") part.text = withoutOurs(part.text)
          if (typeof part.state?.output === "string") part.state.output = withoutOurs(part.state.output)
        }
      }
    }),
    event: quietly(async ({ event }) => {
      const { type, properties } = event
      if (type === "session.created") {
        begun(properties.info)
        if (!properties.info.parentID) brief(properties.info.id) // begun while the client still prepares the turn
      }
      if (type === "message.part.updated" && properties.part?.type === "tool" && properties.part.state?.status === "error") {
        const { sessionID, callID, tool, state } = properties.part
        threw(sessionID, callID)
        tell("tool-after", { ...about(sessionID), call: callID, tool, input: telling(state.input), error: whole(state.error ?? "error", 4000) })
      }
      if (type === "session.compacted") compacting.delete(properties.sessionID)
      if (type === "session.idle") {
        compacting.delete(properties.sessionID)
        clearTimeout(idle.get(properties.sessionID))
        idle.set(properties.sessionID, setTimeout(() => flush(properties.sessionID), 25))
      }
    }),
    dispose: quietly(async () => {
      for (const session of new Set([...idle.keys(), ...untold])) flush(session) // a busy client may end before it says it is idle
      await within(4000, () => Promise.allSettled([...pending])) // the terminal client waits 5 s; what it asks for takes 3 at most
      for (const session of talked) tell("session-end", about(session))
    }),
  }
}

// Texts of the client's without what we put into them.
const withoutOurs = (text) => text.replace(/\s*<psychmem-memory nonce="([0-9a-f]+)">[\s\S]*?<\/psychmem-memory nonce="\1">/g, "")
const refusal = (why) => `PsychMem stopped this call because the person wants to be asked first, in these words: ${why} Ask the person; if they agree, make the same call again.`

// Without the unfinished word at the end: nobody would see that half a secret is one.
const whole = (text, most) => String(text).length > most ? String(text).slice(0, most).replace(/[!-~]+$/, "") : String(text)

// What is worth knowing of a tool's input; never whole files.
function telling(input) {
  const found = {}
  for (const key of ["filePath", "file_path", "path", "command"]) if (typeof input?.[key] === "string") found[key] = whole(input[key], 2000)
  if (typeof input?.patchText === "string") found.patchText = input.patchText.split("\n").filter((line) => line.startsWith("*** ")).join("\n")
  return found
}

// OpenCode 2.x. The 1.x client calls this too, with a context that has no sessions.
async function setup(ctx) {
  if (!ctx?.session?.hook || isDisabled()) return
  const directory = ctx.location?.directory ?? process.cwd()
  const { about, afterCall, answered, beforeCall, brief, isParented } = conversations(
    directory, ctx.location?.worktree ?? directory, (session) => ctx.session.get({ sessionID: session }))
  ctx.session.hook("prompt", quietly(async (e) => {
    const text = typeof e.prompt === "string" ? e.prompt : typed(e.prompt?.parts ?? [])
    if (!text.trim() || (await isParented(e.sessionID))) return
    await brief(e.sessionID)
    answered(e.sessionID)
    const found = await ask("prompt", { ...about(e.sessionID), message: e.messageID, text })
    if (found) await ctx.session.synthetic?.({ sessionID: e.sessionID, text: found })
  }))
  ctx.session.hook("context", quietly(async (e) => {
    if (e.kind !== "primary" || (await isParented(e.sessionID))) return
    const text = await brief(e.sessionID)
    if (text) e.system.push({ type: "text", text })
    tell("stop", { ...about(e.sessionID), messages: e.messages ?? [] })
  }))
  ctx.session.hook("compaction", quietly(async (e) => {
    await ask("pre-compact", { ...about(e.sessionID), messages: e.messages ?? [] })
    for (const message of e.messages ?? []) {
      for (const part of message.parts ?? message.content ?? []) if (typeof part.text === "string") part.text = withoutOurs(part.text)
    }
    await brief(e.sessionID, "compact")
  }))
  ctx.tool?.hook?.("execute.before", (e) => beforeCall(e.sessionID, e.id, e.tool, e.input))
  ctx.tool?.hook?.("execute.after", quietly(async (e) => {
    const error = e.status === "error" ? whole(e.error?.message ?? e.error ?? "error", 4000) : ""
    const said = await afterCall(e.sessionID, e.id, e.tool, e.input, error)
    if (said && typeof e.result === "string") e.result = `${e.result}\n\n${said}`
    else if (said) putBehind(e.result, said)
  }))
}

export default { id: "psychmem", server, setup }
