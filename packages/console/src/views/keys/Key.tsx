/** API key. */
import { Id } from "../../parts/Id.tsx"
import { Head } from "../../shell/Head.tsx"

export const Key = ({ id }: { readonly id: string }) => (
  <Head title="API key">
    <Id of={id} isWhole />
  </Head>
)
