/** How one signs in. */
import { useEffect } from "preact/hooks"
import { Code } from "../../parts/Copy.tsx"
import { Mark } from "../../parts/Icon.tsx"

export const SignIn = () => {
  useEffect(() => {
    document.title = "Sign in - Runhook"
  }, [])
  return (
    <main class="alone">
      <div class="card">
        <p class="mark">
          <Mark />
          runhook
        </p>
        <h1>Sign in</h1>
        <p>A link signs in one browser, once. Make one on the machine that Runhook runs on:</p>
        <Code text="npx runhook console-link" of="command that makes a link" />
      </div>
    </main>
  )
}
