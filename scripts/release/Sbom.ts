/** A software bill of materials, in the form of CycloneDX 1.6. The same packages always give the same text. */
import type { Manifest } from "../pack/Manifest.ts"
import type { Component, Components } from "./Components.ts"

const purl = ({ name, version }: Pick<Component, "name" | "version">): string =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`

const described = (component: Pick<Component, "name" | "version" | "licence">) => ({
  type: "library",
  "bom-ref": purl(component),
  name: component.name,
  version: component.version,
  purl: purl(component),
  ...(component.licence !== undefined && { licenses: [{ expression: component.licence }] })
})

const hashOf = (integrity: string) => ({
  alg: "SHA-512",
  content: Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex")
})

export const sbomOf = ({ license, name, version }: Manifest, components: Components) => {
  const subject = described({ name, version, licence: String(license) })
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: subject },
    components: [...components.values()].map((each) => ({
      ...described(each),
      ...(each.integrity?.startsWith("sha512-") && { hashes: [hashOf(each.integrity)] })
    })),
    dependencies: [...components.values()].map((each) => ({
      ref: purl(each),
      dependsOn: each.needs.flatMap((id) => {
        const needed = components.get(id)
        return needed === undefined ? [] : [purl(needed)]
      })
    }))
  }
}
