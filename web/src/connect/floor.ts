/** The floor as everyone may see it. */
import type { Lobby } from '../wire';
import { call } from './http';

/** `ahead`: the floor's clock less `performance.now()`'s. */
export type Floor = Lobby & { ahead: number };

export async function floorNow(): Promise<Floor> {
  const floor = await call<Lobby>('/api/floor');
  return { ...floor, ahead: floor.now - performance.now() };
}
