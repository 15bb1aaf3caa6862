/** Audit log. */
import { Head } from "../../shell/Head.tsx"

export const Audit = () => <Head title="Audit log" />
