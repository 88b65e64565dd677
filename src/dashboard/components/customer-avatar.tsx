import classes from './customer-avatar.module.css'

/** Initials on a colour that stays the same for the same person. */
export function CustomerAvatar({ id, name, size = 42 }: { id: string; name: string | null; size?: number }) {
  const initials = (name ?? '?')
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
  const style = { '--hue': String(hueOf(id)), width: size, height: size, fontSize: size * 0.38 }
  return (
    <span className={classes.avatar} style={style} aria-hidden>
      {initials}
    </span>
  )
}

function hueOf(id: string): number {
  let hash = 7
  for (const character of id) hash = (hash * 31 + character.charCodeAt(0)) % 360
  return hash
}
