export function engineVersion(env?: NodeJS.ProcessEnv): string | undefined;
export function engineEnvironment(directory: string): Record<string, string>;
export function stateFile(directory: string): string;
