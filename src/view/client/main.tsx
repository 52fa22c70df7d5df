import { render } from 'preact'
import { App } from './app.tsx'
import './style.css'

const place = document.getElementById('view')
if (place !== null) render(<App />, place)
