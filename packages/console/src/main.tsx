/** Starts the page. */
import { render } from "preact"
import { Gate } from "./session/Gate.tsx"
import { followLinks } from "./shell/Location.ts"
import "./styles/tokens.css"
import "./styles/ground.css"
import "./styles/shell.css"
import "./styles/form.css"
import "./styles/parts.css"
import "./styles/table.css"
import "./styles/print.css"

const place = document.getElementById("app")
followLinks()
if (place !== null) render(<Gate />, place)
