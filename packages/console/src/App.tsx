/** The page: whoever is signed in sees the console, everybody else how to sign in. */
import { LocationProvider } from "preact-iso/router"
import { Gate } from "./session/Gate.tsx"

/** Links to elsewhere, such as downloads, are the browser's. */
const scope = /^\/integrations(?:[/?#]|$)/

export const App = () => (
  <LocationProvider scope={scope}>
    <Gate />
  </LocationProvider>
)
