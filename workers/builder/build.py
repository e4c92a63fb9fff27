"""From a version's source to its bundle: compiled in the sandbox, then tried against the protocol."""

from engine.errors import RulesError
from service.blobs import BlobDamagedError, BlobMissingError, BlobStore
from service.messages import BuildOrder, BuildReport
from workers.builder.compiling import compile_sources
from workers.builder.refusal import BuildError
from workers.builder.trial import try_protocol
from workers.bundles import BundleCache, BundleError
from workers.programs import Sandbox, SandboxError
from workers.referee.clock import Pulse
from workers.referee.faults import InfraError


def build(
    order: BuildOrder,
    *,
    sandbox: Sandbox,
    bundles: BundleCache,
    blobs: BlobStore,
    worker: str,
    slot: int,
    pulse: Pulse = lambda: None,
) -> BuildReport:
    """Build a version and report: a bundle, or the reason why not, and the output for its owner.

    Nothing of the author's runs or is compiled outside the sandbox. A failure of ours is reported as `infra`.
    """
    log: list[str] = []
    bundle, reason, infra = None, "", False
    try:
        program = bundles.stage("source", order.source, order.language, order.entry)
        compile_sources(program, sandbox, slot, log)
        try_protocol(program, order, sandbox, slot, pulse, log)
        # Python needs no build products: the bundle is the source's canonical zip.
        bundle = blobs.put("bundle", blobs.get("source", order.source))
    except BuildError as error:
        reason = str(error)
    except (
        InfraError,
        SandboxError,
        BlobMissingError,
        BlobDamagedError,
        BundleError,
        RulesError,
        OSError,
    ) as error:
        reason, infra = f"{type(error).__name__}: {error}", True
    log.append(f"built {bundle}" if bundle else f"failed: {reason}")
    return BuildReport(
        version=order.version,
        attempt=order.attempt,
        worker=worker,
        bundle=bundle,
        runtime=order.language,
        reason=reason,
        log=_stored(log, blobs),
        infra=infra,
    )


def _stored(log: list[str], blobs: BlobStore) -> str | None:
    try:
        return blobs.put("text", ("\n".join(log) + "\n").encode("utf-8", "backslashreplace"))
    except OSError:
        return None
