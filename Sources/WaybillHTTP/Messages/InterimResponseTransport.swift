/// A transport that passes each interim response (RFC 9110, section 15.2) on to the ``UploadPart`` of its request.
package protocol InterimResponseTransport: Transport {}
