/** Errors on the wire: one line that the user reads, and what the engine has to know of a resource that exists all the same. */
import { Metadata, type ServerErrorResponse, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { bounded, describe, type Properties } from "../provider/boundary";
import { seal } from "./values";

/**
 * The answer to a call that failed. Never throws.
 * @param secrets names of the properties that were secret in the request
 */
export function toAnswer(thrown: unknown, secrets: Iterable<string> = []): ServerErrorResponse {
  const details = bounded(describe(thrown)).replace(/\s+/g, " ");
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
  return { name: "Error", message: details, code: status.UNKNOWN, details, metadata };
}

/** Whether the core throws this about a channel that exists although the call failed; see `provider/boundary.ts`. */
function isPartial(thrown: unknown): thrown is { id: string; properties: Properties; reasons: string[] } {
  return thrown instanceof Error && "id" in thrown && "properties" in thrown && "reasons" in thrown;
}
