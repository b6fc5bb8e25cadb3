export function filesHolding(directory: string, texts: string[]): string[];
