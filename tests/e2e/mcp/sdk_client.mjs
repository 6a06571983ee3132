// One conversation of the official TypeScript SDK's client with a server: node sdk_client.mjs CASE COMMAND ARGS...
// Ends with status 0 when everything was as it should be.
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'

const uri = 'todo://plan'
const item = (content, status) => ({ content, status })
const write = (client, ...todos) => client.callTool({ name: 'todo_write', arguments: { todos } })
const plan = async (client) => JSON.parse((await client.readResource({ uri })).contents[0].text).todos

const cases = {
  async introduces_itself(client) {
    assert.equal(client.getServerVersion().name, 'loader-sample')
    assert.deepEqual(client.getServerCapabilities(), { tools: {}, resources: { subscribe: true } })
    await client.ping()
  },

  async lists(client) {
    const { tools } = await client.listTools()
    assert.deepEqual(tools.map((tool) => tool.name), ['todo_write'])
    assert.equal(tools[0].inputSchema.type, 'object')
    assert.equal(tools[0].outputSchema.type, 'object')
    assert.deepEqual((await client.listResources()).resources.map((resource) => resource.uri), [uri])
    assert.deepEqual((await client.listResourceTemplates()).resourceTemplates, [])
  },

  async calls(client) {
    await client.listTools() // from then on the client checks results against the output schema
    const result = await write(client, item('a', 'completed'), item('b 🧠', 'in_progress'))
    assert.equal(result.isError, false)
    assert.deepEqual(result.structuredContent.counts, { pending: 0, inProgress: 1, completed: 1 })
    assert.deepEqual(await plan(client), [item('a', 'completed'), item('b 🧠', 'in_progress')])
    const { contents } = await client.readResource({ uri })
    assert.equal(contents[1].text, '- [x] a\n- [ ] b 🧠 *(in progress)*\n')
  },

  async a_refused_call_is_a_result(client) {
    await client.listTools()
    const result = await write(client, item('a', 'done'))
    assert.equal(result.isError, true)
    assert.match(result.content[0].text, /^Error: invalid arguments: .*must be one of/)
    assert.equal(await plan(client), null)
  },

  async errors_have_their_codes(client) {
    await assert.rejects(client.callTool({ name: 'todo_read', arguments: {} }), { code: -32602 })
    await assert.rejects(client.readResource({ uri: 'todo://other' }), { code: -32002 })
    await assert.rejects(client.getPrompt({ name: 'x' }), /not support prompts|-32601/)
    await assert.rejects(client.request({ method: 'no/such' }, ResourceUpdatedNotificationSchema), { code: -32601 })
  },

  async a_subscriber_is_told(client) {
    let told = 0
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      assert.equal(params.uri, uri)
      told += 1
    })
    await client.subscribeResource({ uri })
    await write(client, item('a', 'pending'))
    await write(client, item('a', 'completed'))
    await client.ping()
    assert.equal(told, 2)
    await client.unsubscribeResource({ uri })
    await write(client, item('b', 'pending'))
    await client.ping()
    assert.equal(told, 2)
  },

  async many_calls_at_once(client) {
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, i) => write(client, item(`item ${i}`, 'pending'))))
    results.forEach((result, i) => assert.equal(result.structuredContent.todos[0].content, `item ${i}`))
  },

  async five_megabytes(client) {
    const todos = Array.from({ length: 5000 }, (_, i) => item(`${i} ${'x'.repeat(1000)}`, 'pending'))
    const result = await client.callTool({ name: 'todo_write', arguments: { todos } }, undefined, { timeout: 240000 })
    assert.equal(result.structuredContent.todos.length, 5000)
    assert.deepEqual(await plan(client), todos)
  },
}

const [name, command, ...args] = process.argv.slice(2)
const client = new Client({ name: 'sdk', version: '1.0.0' })
const transport = new StdioClientTransport({ command, args, env: process.env, stderr: 'inherit' })
client.onerror = (error) => { throw error }
await client.connect(transport)
await cases[name](client)
const before = Date.now()
await client.close()
assert.ok(Date.now() - before < 1900, 'the server ends at the end of its input, without a signal')
