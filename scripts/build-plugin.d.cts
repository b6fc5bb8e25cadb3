export declare const NAME: string;
export declare function buildPlugin(directory?: string): Promise<string>;
export declare function builtPlugin(): Promise<string>;
