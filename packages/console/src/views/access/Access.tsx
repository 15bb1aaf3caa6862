/** Who can open this page, and which runners may connect. */
import { OnlyAdmins, Opener } from "../../parts/Parts.ts"
import { isAdmin } from "../../session/Session.ts"
import { Head } from "../../shell/Shell.ts"
import { Invite } from "./Invite.tsx"
import { Links } from "./Links.tsx"
import { People } from "./People.tsx"
import { RunnerKeys } from "./RunnerKeys.tsx"

export const Access = () => (
  <>
    <Head
      title="Access"
      acts={
        <Opener kind="first" word="Invite somebody">
          {(dialog) => <Invite {...dialog} />}
        </Opener>
      }
    >
      Who can open this page, and which runners may connect.
    </Head>
    <div class="stack turns">
      {isAdmin.value ? (
        <>
          <People />
          <Links />
        </>
      ) : (
        <OnlyAdmins see="who has access" />
      )}
      <RunnerKeys />
    </div>
  </>
)
