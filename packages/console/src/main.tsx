/** Starts the page. */
import { render } from "preact"
import { App } from "./App.tsx"
import "./styles/tokens.css"
import "./styles/ground.css"
import "./styles/shell.css"
import "./styles/form.css"
import "./styles/parts.css"
import "./styles/table.css"

const place = document.getElementById("app")
if (place !== null) render(<App />, place)
