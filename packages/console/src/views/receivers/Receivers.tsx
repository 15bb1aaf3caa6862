/** Receivers. */
import { Head } from "../../shell/Head.tsx"

export const Receivers = () => <Head title="Receivers" />
