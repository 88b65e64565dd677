/**
 * The layer rule of docs/architecture.md: a file imports from its own folder and from folders of
 * outer-lower rank; folders of one rank do not see each other. Type imports count.
 */
const RANK = {
  shared: 0,
  scheduling: 1,
  agent: 1,
  config: 2,
  observability: 2,
  contracts: 2,
  db: 3,
  queue: 4,
  tenancy: 5,
  conversations: 6,
  booking: 6,
  handoff: 7,
  live: 7,
  media: 7,
  assistant: 8,
  whatsapp: 8,
  jobs: 9,
  http: 10,
  dashboard: 10,
}

const folders = Object.keys(RANK)
const layerRules = folders.map((folder) => {
  const forbidden = folders.filter((other) => other !== folder && RANK[other] >= RANK[folder])
  return {
    name: `layers-${folder}`,
    severity: 'error',
    comment: `${folder} (rank ${RANK[folder]}) may only import folders of a lower rank`,
    from: { path: `^src/${folder}/` },
    to: { path: [`^src/(${[...forbidden, 'demo'].join('|')})/`, '^src/[^/]+\\.ts$'] },
  }
})

module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'unknown-folder',
      severity: 'error',
      comment: 'a folder under src that has no rank here (and no row in docs/architecture.md)',
      from: { path: `^src/(?!(${[...folders, 'demo'].join('|')})/)[^/]+/` },
      to: {},
    },
    {
      name: 'demo-is-not-product',
      severity: 'error',
      comment: 'the demo is never part of a production build',
      from: { path: '^src/', pathNot: '^src/demo/' },
      to: { path: '^src/demo/' },
    },
    {
      name: 'only-db-sees-prisma',
      severity: 'error',
      comment: 'src/db is the only door to the database',
      from: { path: '^(src|test)/', pathNot: '^src/db/' },
      to: { path: ['@prisma/', '^src/db/generated/', 'node_modules/prisma/'] },
    },
    {
      name: 'pure-rooms-do-no-io',
      severity: 'error',
      comment: 'scheduling and agent are pure: no database, HTTP server, file or network module',
      from: { path: '^src/(scheduling|agent)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: [
          '^(node:)?(fs|net|http|https|child_process|dns)(/|$)',
          'node_modules/(fastify|pg|pino|graphile-worker)/',
        ],
      },
    },
    {
      name: 'dashboard-imports-contracts-only',
      severity: 'error',
      from: { path: '^src/dashboard/' },
      to: { path: '^src/(?!dashboard/|contracts/)' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'product-does-not-import-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^test/' },
    },
    {
      name: 'no-dev-dependency-in-product',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.test\\.ts$', '^src/dashboard/', '^src/demo/'] },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'src/db/generated/.*/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
