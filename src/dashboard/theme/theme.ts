import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const brand: MantineColorsTuple = [
  '#e6f5ef',
  '#cdeadf',
  '#9fd8c3',
  '#6dc5a6',
  '#43b38d',
  '#1f9c77',
  '#0b8265',
  '#076650',
  '#055243',
  '#043d33',
]

/** Grey with a little of the brand's green, so that panels and accents belong together. */
const dark: MantineColorsTuple = [
  '#e4eeeb',
  '#c3d1cd',
  '#9fb2ac',
  '#758983',
  '#384947',
  '#2a3937',
  '#1b2726',
  '#131c1c',
  '#0e1515',
  '#090f0f',
]

const gray: MantineColorsTuple = [
  '#f6f9f8',
  '#eff4f2',
  '#e3eae7',
  '#d5dfdb',
  '#c0ccc7',
  '#a0afa9',
  '#7c8d87',
  '#56665f',
  '#37443f',
  '#1f2a26',
]

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 6, dark: 6 },
  colors: { brand, dark, gray },
  black: '#12211d',
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
})

/** Text that steps back still has to be read: Mantine's own dimmed grey is too pale on white. */
export const themeVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#55665f',
    '--mantine-color-placeholder': '#66766f',
    '--mantine-color-orange-light-color': '#8a4b00',
    '--mantine-color-red-light-color': '#a61e14',
    '--mantine-color-blue-light-color': '#155a96',
    '--mantine-color-gray-light-color': '#47564f',
    '--mantine-color-error': '#b42318',
    '--app-canvas': '#f1f5f3',
    '--app-panel': '#ffffff',
    '--app-line': '#e1e8e5',
    '--app-hover': '#f2f7f5',
    '--app-active': '#e2f2ec',
    '--app-accent': '#076b53',
    '--app-bubble-in': '#ffffff',
    '--app-bubble-out': '#d9f3e5',
    '--app-bubble-bot': '#e6eef6',
    '--app-note': '#fff6d6',
    '--app-note-line': '#ecd58a',
    '--app-danger': '#b42318',
    '--app-warn': '#8a5300',
    '--app-shadow': '0 1px 2px rgb(16 40 32 / 8%)',
  },
  dark: {
    '--mantine-color-dimmed': '#9fb2ac',
    '--mantine-color-placeholder': '#8ba099',
    '--mantine-color-error': '#ff8f84',
    '--mantine-color-brand-light': 'rgb(67 179 141 / 16%)',
    '--mantine-color-brand-light-hover': 'rgb(67 179 141 / 24%)',
    '--mantine-color-brand-light-color': '#8be0c3',
    '--app-canvas': '#0b1212',
    '--app-panel': '#131c1c',
    '--app-line': '#243231',
    '--app-hover': '#1a2625',
    '--app-active': '#1a342d',
    '--app-accent': '#4fd0a8',
    '--app-bubble-in': '#1d2929',
    '--app-bubble-out': '#0e4537',
    '--app-bubble-bot': '#1b2b3a',
    '--app-note': '#3a3216',
    '--app-note-line': '#665620',
    '--app-danger': '#ff8f84',
    '--app-warn': '#f2b84b',
    '--app-shadow': '0 1px 2px rgb(0 0 0 / 40%)',
  },
})
