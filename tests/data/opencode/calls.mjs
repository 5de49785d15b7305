import { hooks } from "./hooks.mjs"
const made = async (id, command, tool = "shell", input = { command }) => {
  const e = { tool, sessionID: "ses_1", id, input }
  try { await hooks["execute.before"](e) } catch (error) { return error.message }
  const after = { ...e, status: "completed", result: { output: "done" } }
  await hooks["execute.after"](after)
  return after.result.output
}
const block = '<psychmem-memory nonce="ab12">\nuse pnpm\n</psychmem-memory nonce="ab12">'
const messages = [{ parts: [{ type: "text", text: `Hello\n${block}` }] }]
const told = [await made("1", "git push"), await made("2", "rm -rf x"), await made("5", "rm -rf x"), await made("3", "ls")]
await hooks.prompt({ sessionID: "ses_1", messageID: "m", prompt: "yes, do" })
told.push(await made("6", "rm -rf x"))
await made("4", "", "apply_patch", { patchText: "*** Update File: .env\n-A=1\n+A=2" })
await hooks.compaction({ sessionID: "ses_1", messages })
console.log(JSON.stringify([...told, messages[0].parts[0].text]))
process.exit(0)
