// node resume.mjs ROOT SESSION
// Resumes a stored session the way the reference does (its own log backend, then the projection and
// the invariant over it) and prints {"cpu_ms":…,"rss_mib":…,"items":…}. Needs Node 22.19 or later.
import Persistence from '@deepseek-ai/dsh-session-persistence-jsonl'
import { cpuMicroseconds, host } from './host.mjs'

const [, , root, id] = process.argv
const context = await host()
const backend = await context.plugin(Persistence, { root, compression: 'none' })
const before = cpuMicroseconds()
const { session } = await context.sessionPersistence.prepare(id)
await backend.dispose() // resuming would append to the file under measure
context.sessions.enter(session)
context.sessions.announce(session)
const plan = context.sessionProjections.snapshot(session).values.todos
console.log(JSON.stringify({
  cpu_ms: (cpuMicroseconds() - before) / 1000,
  rss_mib: process.resourceUsage().maxRSS / 1024,
  items: plan === null ? 0 : plan.length,
}))
process.exit(0)
