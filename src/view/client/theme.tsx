import { useEffect, useState } from 'preact/hooks'

type Theme = 'system' | 'light' | 'dark'
const NEXT: { readonly [theme in Theme]: Theme } = { system: 'dark', dark: 'light', light: 'system' }

const ICONS = { system: '◐', light: '☀', dark: '☾' } as const

const remembered = (): Theme => {
  const found = localStorage.getItem('touchstone-theme')
  return found === 'light' || found === 'dark' ? found : 'system'
}

/** Light, dark or the system's theme. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(remembered)
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
    localStorage.setItem('touchstone-theme', theme)
  }, [theme])
  return (
    <button type="button" class="theme" title={`colours: ${theme}`} onClick={() => setTheme(NEXT[theme])}>
      <span aria-hidden="true">{ICONS[theme]}</span>
      <span class="hidden">colours: {theme}</span>
    </button>
  )
}
