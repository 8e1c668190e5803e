// Clauses of a request.
nonisolated extension ReadingTable {
    static let requests: [Row] = [
        Row(
            "Query",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/OpenAPITests",
                "Parameters have their names, types, styles and examples"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockDispatchTests",
                "Calls that differ in constant items of the query get a response of their own type"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Header",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/OpenAPITests",
                "Parameters have their names, types, styles and examples"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockResponseTests",
                "A call that streams JSON texts gets them in the declared form"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .field
        ),
        Row(
            "IfMatch",
            document: .described,
            mock: .read(
                "WaybillDescriptionTests/Mock/MockServerTests",
                "A condition that does not hold is rejected with 412, and one that holds is not"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .field
        ),
        Row(
            "IfNoneMatch",
            document: .described,
            mock: .read(
                "WaybillDescriptionTests/Mock/MockBodyPlaceTests",
                "A mock server creates by an upsert under a new id, and replaces under a known one"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .field
        ),
        Row(
            "IfModifiedSince",
            document: .described,
            mock: .undated,
            comparison: .compared,
            drift: .ofRequest,
            recording: .field
        ),
        Row(
            "IfUnmodifiedSince",
            document: .described,
            mock: .undated,
            comparison: .compared,
            drift: .ofRequest,
            recording: .field
        ),
        Row(
            "IdempotencyKey",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/OpenAPITests",
                "A key that makes a request repeatable is a header field"
            ),
            mock: .read(
                "WaybillStoreTests/Servers/MockedKeyTests",
                "A repeated key with the same body returns the first response, and with another body 422"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .notRead("The key is left out of the file.")
        ),
        Row(
            "Call.Name",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/MergedOperationTests",
                "Calls that differ in items of the query are one operation with all items and all responses"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockDispatchTests",
                "Calls with names are told apart too, at a server and at a stub"
            ),
            comparison: .read(
                "WaybillDescriptionTests/Comparison/DocumentComparisonTests",
                "Each of several calls that share an operation has its findings, and they share those they have in"
                    + " common"
            ),
            drift: .named,
            recording: .sentRequest
        ),
    ]

    static let bodies: [Row] = [
        Row(
            "Body",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/SentTypeTests",
                "A number that happens to be whole has the type of its property"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockServerTests",
                "Bodies that do not fit are rejected, and change nothing"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Body.Member",
            document: .read("WaybillDescriptionTests/OpenAPI/SentTypeTests", "Members alone have their types"),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockRootTests",
                "Calls at the root are told apart by the method that their bodies name"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Multipart",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/OpenAPITests",
                "A form of several parts lists them with their media types"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockDispatchTests",
                "A create by JSON and one of several parts get responses of their own"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Body.Format",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/MergedOperationTests",
                "A body whose type does not decode has the media type that is sent"
            ),
            mock: .read(
                "WaybillDescriptionTests/Mock/MockCodingTests",
                "A declared create by form is read with its types, its lists and its dates"
            ),
            comparison: .compared,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Body.Differences",
            document: .generatedPatch,
            mock: .notRead(
                "A mock applies merge patches. A difference in the form of JSON Patch is rejected."
            ),
            comparison: .generatedPatch,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Encode",
            document: .keys,
            mock: .coding,
            comparison: .compared,
            drift: .ofRequest,
            recording: .matched
        ),
        Row(
            "Compressed",
            document: .unlistedCoding,
            mock: .read(
                "WaybillDescriptionTests/Readings/ClauseReadingTests",
                "A mock rejects a coded body, and gets it without the coding"
            ),
            comparison: .unlistedCoding,
            drift: .ofRequest,
            recording: .read(
                "WaybillTestingTests/Recording/RecordedCodingTests",
                "A compressed body is recorded before its coding and without its secrets, and matches in a replay"
            )
        ),
        Row(
            "Resumable",
            document: .oneRequest,
            mock: .notRead("A mock does not understand requests that continue an upload."),
            comparison: .oneRequest,
            drift: .ofRequest,
            recording: .sending
        ),
    ]
}

// Clauses for identities and secrets.
nonisolated extension ReadingTable {
    static let credentials: [Row] = [
        Row(
            "Authorization",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/OpenAPITests",
                "A document has the scheme of a credential, and no secret"
            ),
            mock: .unchecked,
            comparison: .read(
                "WaybillDescriptionTests/Comparison/DocumentMutationTests",
                "Each kind of change to a document is found, or listed as one that is not looked at"
            ),
            drift: .ofRequest,
            recording: .hidden
        ),
        Row(
            "Signed",
            document: .unlistedSignature,
            mock: .unchecked,
            comparison: .unlistedSignature,
            drift: .ofRequest,
            recording: .sentRequest
        ),
        Row(
            "Cookies",
            document: .notRead("The document has no cookies, because responses set them."),
            mock: .unchecked,
            comparison: .read(
                "WaybillDescriptionTests/Readings/ClauseReadingTests",
                "A jar of cookies may have the cookie that a document requires"
            ),
            drift: .ofRequest,
            recording: .read(
                "WaybillTestingTests/Recording/RecordingCredentialTests",
                "A credential is in no exchange of the file, before and after the one that makes it one"
            )
        ),
        Row(
            "Secret",
            document: .read(
                "WaybillDescriptionTests/OpenAPI/SecretExampleTests",
                "A document has no secret of a call in an example, and what is not secret"
            ),
            mock: .notRead("A secret is removed from texts, and not from messages."),
            comparison: .notRead(
                "A secret is removed from examples, and the comparison does not read examples."
            ),
            drift: .notRead("A report has no values that could be secret."),
            recording: .hidden
        ),
    ]
}

// Cells shared by several request clauses.
nonisolated extension ReadingTable.Cell {
    fileprivate static let undated = Self.notRead("Entities have a tag and no date of their last change.")

    fileprivate static let named = Self.read(
        "WaybillDescriptionTests/Readings/ClauseReadingTests",
        "Drift is found in a response of a declared success, and reported by the name of the call"
    )

    fileprivate static let sentRequest = Self.read(
        "WaybillDescriptionTests/Readings/ClauseReadingTests",
        "A recording has the name of a call as its template, and no signature"
    )

    fileprivate static let generatedPatch = Self.notRead("A patch of a resource is a value of its type `Patch`.")

    fileprivate static let unlistedCoding = Self.notRead("OpenAPI does not list the content codings of a request.")

    fileprivate static let unlistedSignature = Self.notRead(
        "A signature is made when the request is sent, and OpenAPI has no scheme for it."
    )

    fileprivate static let oneRequest = Self.notRead(
        "The document has one request, without the fields of an upload and the requests that continue it."
    )

    fileprivate static let unchecked = Self.notRead(
        "Credentials, signatures and cookies are not checked, no nonce is demanded, and no cookie is set."
    )

    fileprivate static let hidden = Self.read(
        "WaybillTestingTests/Recording/RecordingSecretTests",
        "A recording has no secret, the recording test sees the server's, and a replay with other secrets matches"
    )
}
