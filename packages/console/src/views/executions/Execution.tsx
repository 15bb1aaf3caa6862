/** Execution. */
import { Id } from "../../parts/Id.tsx"
import { Head } from "../../shell/Head.tsx"

export const Execution = ({ id }: { readonly id: string }) => (
  <Head title="Execution">
    <Id of={id} isWhole />
  </Head>
)
