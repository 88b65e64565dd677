import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineTool } from './tool.ts'

const base = { description: 'd', effect: 'read' as const, run: async () => 'ok' }

it('a tool that the API would refuse cannot be defined', () => {
  expect(() => defineTool({ ...base, name: 'my tool', input: z.object({}).strict() })).toThrow('tool name')
  expect(() => defineTool({ ...base, name: 'tool', input: z.string() })).toThrow('must be an object')
})
