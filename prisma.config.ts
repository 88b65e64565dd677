import { defineConfig } from 'prisma/config'

// `prisma generate` looks for the native schema engine without needing it, and would download it.
// Any executable that exists satisfies the look-up. Only then: with it set, `migrate deploy` would
// exit 0 and apply nothing (migrations go through src/db/migrations.ts instead).
if (process.argv.includes('generate')) {
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath
}

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
})
