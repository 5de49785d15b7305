import { hooks } from "./hooks.mjs"
for (const sessionID of ["ses_1", "sub"]) {
  await hooks.prompt({ sessionID, messageID: "msg_1", prompt: "Hello" })
  for (let step = 0; step < 2; step++) {
    await hooks.context({ sessionID, kind: sessionID === "sub" ? "subagent" : "primary", system: [], messages: [] })
  }
}
await hooks.compaction({ sessionID: "ses_1", messages: [] })
process.exit(0)
