import { defineConfig } from 'vitest/config'

// A PostgreSQL for the whole run, a database for each file.
const withDatabase = {
  globalSetup: ['test/support/global-setup.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
}

export default defineConfig({
  test: {
    pool: 'forks',
    // Each file of the database projects runs a pool, workers or an HTTP server besides.
    maxWorkers: 2,
    restoreMocks: true,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/db/generated/**', 'src/**/*.test.ts'],
    },
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}'] } },
      {
        extends: true,
        test: { name: 'integration', include: ['test/integration/**/*.test.ts'], ...withDatabase },
      },
      { extends: true, test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], ...withDatabase } },
    ],
  },
})
