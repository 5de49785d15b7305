import plugin from "./psychmem.mjs"
export const hooks = {}
const hook = (name, run) => { hooks[name] = run }
const get = async ({ sessionID }) => ({ id: sessionID, parentID: sessionID === "sub" ? "ses_1" : undefined })
await plugin.setup({ session: { hook, get, synthetic: async () => {} }, tool: { hook }, location: { directory: "/tmp" } })
