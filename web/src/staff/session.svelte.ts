/** Who has signed in on this page. */
import { call, whenSignedOut } from '../connect/http';
import type { Me } from '../wire';

const state = $state<{ me: Me | null }>({ me: null });

/** Null until the server has answered. */
export function me(): Me | null {
  return state.me;
}

export async function ask(): Promise<void> {
  state.me = await call<Me>('/api/session');
}

whenSignedOut(() => void ask());

export async function signIn(person: string, password: string): Promise<void> {
  state.me = await call<Me>('/api/session', { person, password });
}

export async function signOut(): Promise<void> {
  state.me = await call<Me>('/api/session', undefined, 'DELETE');
}

export async function signOutEverywhere(): Promise<void> {
  state.me = await call<Me>('/api/sessions', undefined, 'DELETE');
}
