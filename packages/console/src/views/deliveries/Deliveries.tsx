/** Deliveries. */
import { Head } from "../../shell/Head.tsx"

export const Deliveries = () => <Head title="Deliveries" />
