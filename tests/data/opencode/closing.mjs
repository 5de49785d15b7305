import plugin from "./psychmem.mjs"
const never = () => new Promise(() => {})
const ways = { rejects: async () => { throw new Error("gone") }, throws: () => { throw new Error("gone") }, hangs: never }
const way = ways[process.argv[2]]
const hooks = await plugin.server({ client: { session: { get: way, messages: way } }, directory: "/tmp", worktree: "/tmp" })
await hooks.event({ event: { type: "session.created", properties: { info: { id: "ses_1" } } } })
await hooks["chat.message"]({ sessionID: "ses_1" }, { message: { id: "msg_1" }, parts: [{ type: "text", text: "Hello", id: "prt_1" }] })
const begun = Date.now()
await hooks.dispose()
console.log(Date.now() - begun)
process.exit(0)
