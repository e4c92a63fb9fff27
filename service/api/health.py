"""Liveness, readiness and metrics: for supervisors and Prometheus, outside the API's prefix and its description."""

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue

from service.metrics import CONTENT_TYPE, metrics
from service.readiness import readiness
from service.refusals import ForbiddenError
from service.web.guards import is_local_request
from service.web.signin import require_bearer
from service.web.site import site

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Say that this process answers."""
    return jsonify(ok=True)


@bp.get("/readyz")
def readyz() -> ResponseReturnValue:
    """Say whether the installation can do its work: 200, or 503 with the checks that failed."""
    found = readiness(site().settings, site().database)
    return jsonify(found.model_dump(mode="json")), 200 if found.ready else 503


@bp.get("/metrics")
def show_metrics() -> Response:
    """Give metrics to this machine, or to an operator's token."""
    if not is_local_request() and not require_bearer().account.is_operator:
        raise ForbiddenError("metrics are for operators; use an operator's token")
    return Response(metrics(site().database, site().blobs), content_type=CONTENT_TYPE)
