// The reference as its users compose it: sessions, tools, projections, invariants and the tool itself
// with its own invariant.
import { Context } from '@deepseek-ai/cordis'
import Invariants from '@deepseek-ai/dsh-invariants'
import Sessions from '@deepseek-ai/dsh-session'
import Projections from '@deepseek-ai/dsh-session-projection'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import * as Todo from '@deepseek-ai/dsh-tool-todo'
import * as TodoInvariant from '@deepseek-ai/dsh-tool-todo/invariant'
import Tools from '@deepseek-ai/dsh-tools'

export async function host() {
  const context = new Context()
  for (const [plugin, config] of [
    [Sessions], [SystemPrompt, { persona: '' }], [Tools], [Projections], [Invariants, { enabled: true }],
    [Todo, { allowParallelInProgress: true }], [TodoInvariant],
  ]) await context.plugin(plugin, config)
  return context
}

// CPU time of this process so far, user and system, in microseconds.
export function cpuMicroseconds() {
  const { user, system } = process.cpuUsage()
  return user + system
}
