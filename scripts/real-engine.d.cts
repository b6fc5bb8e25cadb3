export function engineVersion(env?: NodeJS.ProcessEnv): string | undefined;
export function engineEnvironment(directory: string): Record<string, string>;
export function recordedIn<Resource>(directory: string): Resource[];
