// node call.mjs ARGUMENTS_FILE CALLS
// Runs CALLS calls over the argument texts of the file (one a line, in turn) inside one open turn, and
// prints the CPU time of one as {"cpu_us":…}. As many calls again run before, to warm the engine up.
import { readFileSync } from 'node:fs'
import { cpuMicroseconds, host } from './host.mjs'

const [, , file, count] = process.argv
const texts = readFileSync(file, 'utf8').trimEnd().split('\n')
const context = await host()
const { signal } = new AbortController()
let calls = 0

async function run(session, times) {
  const agent = { id: session.id, session }
  for (let i = 0; i < times; i++) {
    const result = await context.tools.execute({
      name: 'todo_write', callId: `call-${++calls}`, signal, agent,
      arguments: JSON.parse(texts[i % texts.length]),
    })
    if (result.isError) throw new Error(JSON.stringify(result))
  }
}

function openTurn() {
  const session = context.sessions.create()
  session.append('turn/start', { turn: 1 })
  return session
}

const times = Number(count)
await run(openTurn(), times)
const session = openTurn()
const before = cpuMicroseconds()
await run(session, times)
console.log(JSON.stringify({ cpu_us: (cpuMicroseconds() - before) / times }))
