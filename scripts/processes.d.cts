export function processesWith(name: string, value: string | undefined): number[];
export function kill(...ids: number[]): void;
