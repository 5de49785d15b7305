import plugin from "./psychmem.mjs"
const hooks = await plugin.server({ client: { session: {} }, directory: "/tmp", worktree: "/tmp" })
await hooks[process.argv[2]]({ tool: "bash", sessionID: "ses_1", callID: "c" }, { args: { command: "ls" } })
process.exit(0)
