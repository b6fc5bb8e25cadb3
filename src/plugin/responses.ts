/**
 * Responses that are more than values: differences, and errors that carry an object which exists.
 */
import { type handleUnaryCall, Metadata, type ServerErrorResponse, status } from "@grpc/grpc-js";
import {
  DiffResponse,
  ErrorResourceInitFailed,
  PropertyDiff,
} from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { bounded, describe, type Properties } from "../provider/boundary";
import { seal } from "./values";

const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
const { Kind } = PropertyDiff;

/**
 * A call that gets one response, even if it fails.
 * @param call takes the request, and a set for the names of the properties that are secret in it
 */
export function unary<Request, Response>(
  call: (request: Request, secrets: Set<string>) => Promise<Response>,
): handleUnaryCall<Request, Response> {
  return ({ request }, respond) => {
    const secrets = new Set<string>();
    call(request, secrets).then(
      (response) => respond(null, response),
      (error: unknown) => respond(toError(error, secrets)),
    );
  };
}

/** The inputs that differ, and which of them replace the resource. */
export interface Difference {
  diffs: string[];
  replaces: string[];
}

export function difference({ diffs, replaces }: Difference): DiffResponse {
  return new DiffResponse()
    .setChanges(diffs.length > 0 ? DIFF_SOME : DIFF_NONE)
    .setDiffsList(diffs)
    .setReplacesList(replaces);
}

/** The same with the kind of each, for the preview. The engine has the values itself. */
export function detailed(found: Difference, olds: Properties, news: Properties): DiffResponse {
  const response = difference(found).setHasdetaileddiff(found.diffs.length > 0);
  for (const name of found.diffs) {
    const kind = kindOf(olds[name] ?? null, news[name] ?? null, found.replaces.includes(name));
    response.getDetaileddiffMap().set(name, new PropertyDiff().setKind(kind));
  }

  return response;
}

function kindOf(before: unknown, after: unknown, isReplaced: boolean) {
  if (before === null) return isReplaced ? Kind.ADD_REPLACE : Kind.ADD;
  if (after === null) return isReplaced ? Kind.DELETE_REPLACE : Kind.DELETE;

  return isReplaced ? Kind.UPDATE_REPLACE : Kind.UPDATE;
}

/** The message of an error, in one line. Never throws. */
export function lineOf(thrown: unknown): string {
  return bounded(describe(thrown)).replace(/\s+/g, " ");
}

/**
 * The response to a call that failed: one line for the user. Never throws.
 * @param secrets names of the properties that were secret in the request
 */
function toError(thrown: unknown, secrets: Iterable<string>): ServerErrorResponse {
  const details = lineOf(thrown);
  const metadata = new Metadata();

  if (isPartial(thrown)) {
    const failed = new ErrorResourceInitFailed()
      .setId(thrown.id)
      .setProperties(seal(thrown.properties, secrets))
      .setReasonsList(thrown.reasons);

    const any = new Any();

    any.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const packed = new Status().setCode(status.UNKNOWN).setMessage(details).setDetailsList([any]);

    metadata.set("grpc-status-details-bin", Buffer.from(packed.serializeBinary()));
  }

  return {
    name: "Error",
    message: details,
    code: status.UNKNOWN,
    details,
    metadata,
  };
}

/**
 * Whether the core throws this about a resource that exists although the call failed; see
 * `provider/boundary.ts`.
 */
function isPartial(
  thrown: unknown,
): thrown is { id: string; properties: Properties; reasons: string[] } {
  return thrown instanceof Error && "id" in thrown && "properties" in thrown && "reasons" in thrown;
}
