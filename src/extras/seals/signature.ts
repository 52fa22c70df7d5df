import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { UsageError } from '../../core/index.ts'

/*
 * Signatures of seals, as `ssh-keygen -Y sign -n touchstone-seal -f KEY seal.json` writes them into `seal.json.sig`: people
 * have such keys, and can check without this program. Format: PROTOCOL.sshsig of OpenSSH. Only Ed25519 is checked here.
 */

const NAMESPACE = 'touchstone-seal'
const TYPE = 'ssh-ed25519'
const MAGIC = Buffer.from('SSHSIG')
const [BEGIN, END] = ['-----BEGIN SSH SIGNATURE-----', '-----END SSH SIGNATURE-----']
/** An Ed25519 public key in DER, before its 32 bytes. */
const DER = Buffer.from('302a300506032b6570032100', 'hex')

/** Where the signature of a file is. */
export const signatureFile = (path: string): string => `${path}.sig`

const field = (content: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(content as string)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** What is signed: never the content itself, so that the signature is of no use elsewhere. */
const signedBytes = (content: Uint8Array, hash: 'sha256' | 'sha512'): Buffer =>
  Buffer.concat([MAGIC, field(NAMESPACE), field(''), field(hash), field(createHash(hash).update(content).digest())])

const fingerprint = (blob: Uint8Array): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/u, '')}`

/** Signs the bytes of a seal. @param pem - an Ed25519 private key in PEM. @throws UsageError for another key */
export function signSeal(content: Uint8Array, pem: string, name: string): string {
  let key: KeyObject | null = null
  try {
    key = createPrivateKey(pem)
  } catch {
    // The error below.
  }
  if (key?.asymmetricKeyType !== 'ed25519')
    throw new UsageError(
      `${name} is not an Ed25519 private key in PEM without a passphrase (openssl genpkey -algorithm ed25519 -out FILE makes one). With an SSH key: ssh-keygen -Y sign -n ${NAMESPACE} -f KEY seal.json`,
    )
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(DER.length)
  const version = Buffer.from([0, 0, 0, 1])
  const signature = sign(null, signedBytes(content, 'sha512'), key)
  const blob = Buffer.concat([
    MAGIC,
    version,
    field(Buffer.concat([field(TYPE), field(raw)])),
    ...[NAMESPACE, '', 'sha512'].map(field),
    field(Buffer.concat([field(TYPE), field(signature)])),
  ])
  return `${BEGIN}\n${blob.toString('base64').replaceAll(/.{70}/gu, '$&\n')}\n${END}\n`
}

/** Who signed a content; `bad`: nobody did, or this program cannot tell. */
export type Signer =
  | { readonly kind: 'good'; readonly key: string }
  | { readonly kind: 'bad'; readonly message: string }

/** Checks a signature, offline. Total. */
export function signerOf(content: Uint8Array, armored: string): Signer {
  const bad = (message: string): Signer => ({ kind: 'bad', message })
  const text = armored.trim()
  if (!text.startsWith(BEGIN) || !text.endsWith(END)) return bad('it is not a signature of ssh-keygen -Y sign')
  const blob = Buffer.from(text.slice(BEGIN.length, -END.length), 'base64')
  try {
    const read = reader(blob)
    if (!read.take(6).equals(MAGIC) || read.take(4).readUInt32BE() !== 1) return bad('it has an unknown format')
    const [key, namespace, , hash, signed] = [read.field(), read.field(), read.field(), read.field(), read.field()]
    if (namespace?.toString() !== NAMESPACE)
      return bad(`it was made for "${namespace?.toString().slice(0, 40)}", expected ${NAMESPACE} (ssh-keygen -n)`)
    const [ofKey, ofSignature] = [reader(key as Buffer), reader(signed as Buffer)]
    if (ofKey.field().toString() !== TYPE || ofSignature.field().toString() !== TYPE)
      return bad('its key is not of the type ssh-ed25519: check it with ssh-keygen -Y verify')
    const publicBytes = ofKey.field()
    const signatureBytes = ofSignature.field()
    if (![read, ofKey, ofSignature].every((one) => one.isAtEnd())) return bad('it has an unknown format')
    const algorithm = hash?.toString()
    if (algorithm !== 'sha256' && algorithm !== 'sha512') return bad('it has an unknown hash')
    const publicKey = createPublicKey({ key: Buffer.concat([DER, publicBytes]), format: 'der', type: 'spki' })
    return verify(null, signedBytes(content, algorithm), publicKey, signatureBytes)
      ? { kind: 'good', key: fingerprint(key as Buffer) }
      : bad('it is of another content')
  } catch {
    return bad('it cannot be read')
  }
}

/** Reads fields one after another. @throws RangeError beyond the end */
function reader(bytes: Buffer) {
  let at = 0
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError('the signature is cut off')
    at += length
    return bytes.subarray(at - length, at)
  }
  return { take, field: () => take(take(4).readUInt32BE()), isAtEnd: () => at === bytes.length }
}

/** The fingerprint that is meant: itself, or that of a public key of ssh (`ssh-ed25519 AAAA... name`). @throws UsageError */
export function fingerprintIn(text: string, name: string): string {
  const line = text.trim()
  if (/^SHA256:[\w+/]{43}$/u.test(line)) return line
  const [, key] = /(?:^|\s)ssh-ed25519\s+([\w+/]+=*)/u.exec(line) ?? []
  if (key === undefined)
    throw new UsageError(`${name}: expected a public key (ssh-ed25519 AAAA...) or a fingerprint (SHA256:...)`)
  return fingerprint(Buffer.from(key, 'base64'))
}
