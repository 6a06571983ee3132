// node start.mjs: from process start to the tool registered; says so on stdout and ends.
import { writeSync } from 'node:fs'
import { host } from './host.mjs'

await host()
writeSync(1, 'registered\n')
process.exit(0)
