/** The page: the console for signed-in users, the sign-in view for all others. */
import { LocationProvider } from "preact-iso/router"
import { Gate } from "./session/Gate.tsx"

/** The router handles these paths; the browser handles all other links, such as downloads. */
const scope = /^\/integrations(?:[/?#]|$)/

export const App = () => (
  <LocationProvider scope={scope}>
    <Gate />
  </LocationProvider>
)
