import plugin from "./psychmem.mjs"
const toasts = []
const tui = { showToast: async ({ body }) => { toasts.push(body) } }
const timer = setTimeout
globalThis.setTimeout = (run, ms) => timer(run, ms > 2500 ? 200 : ms)
const session = { get: async () => ({ data: {} }), messages: async () => ({ data: [] }) }
const hooks = await plugin.server({ client: { session, tui }, directory: "/tmp", worktree: "/tmp" })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } })
await new Promise((resolve) => timer(resolve, 2000))
console.log(JSON.stringify(toasts))
process.exit(0)
