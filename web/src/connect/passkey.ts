/** Passkeys: a device of the person's own makes a key, and signs what they ask for and approve. */
import type { AskSignature } from '../wire';

const bytes = (base64: string) =>
  Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
const base64 = (buffer: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)));

/** A new key: what it is called, and its public half. */
export async function makePasskey(person: string, page: string): Promise<{ credential: string; key: string } | null> {
  const made = (await navigator.credentials.create({
    publicKey: {
      challenge: crypto.getRandomValues(new Uint8Array(32)),
      rp: { name: page },
      user: { id: new TextEncoder().encode(person).slice(0, 64), name: person, displayName: person },
      // ES256, EdDSA, RS256.
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { userVerification: 'required' },
    },
  })) as PublicKeyCredential | null;
  const key = (made?.response as AuthenticatorAttestationResponse | undefined)?.getPublicKey();
  return made && key ? { credential: made.id, key: base64(key) } : null;
}

/** A signature; null if the person or the device did not want to: then the floor says what is missing. */
export async function signWith(credentials: readonly string[], challenge: string): Promise<AskSignature | null> {
  try {
    const signed = (await navigator.credentials.get({
      publicKey: {
        challenge: bytes(challenge),
        allowCredentials: credentials.map((id) => ({ type: 'public-key', id: bytes(id) })),
        userVerification: 'required',
      },
    })) as PublicKeyCredential | null;
    if (!signed) return null;
    const answer = signed.response as AuthenticatorAssertionResponse;
    return {
      credential: signed.id,
      device: base64(answer.authenticatorData),
      client: base64(answer.clientDataJSON),
      signature: base64(answer.signature),
    };
  } catch {
    return null;
  }
}
