import tseslint from 'typescript-eslint'

// Four type-aware rules only; format, imports and syntactic rules are Biome's.
// A lost promise here is a lost customer message.
export default tseslint.config(
  { ignores: ['dist/**', 'coverage/**'] },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx', 'test/**/*.ts'],
    ignores: ['src/db/generated/**'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unsafe-type-assertion': 'error',
    },
  },
)
