/** Replay. */
import { Id } from "../../parts/Id.tsx"
import { Head } from "../../shell/Head.tsx"

export const Replay = ({ id }: { readonly id: string }) => (
  <Head title="Replay">
    <Id of={id} isWhole />
  </Head>
)
