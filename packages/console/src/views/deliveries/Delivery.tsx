/** Delivery. */
import { Id } from "../../parts/Id.tsx"
import { Head } from "../../shell/Head.tsx"

export const Delivery = ({ id }: { readonly id: string }) => (
  <Head title="Delivery">
    <Id of={id} isWhole />
  </Head>
)
