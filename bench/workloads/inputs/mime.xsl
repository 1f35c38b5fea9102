<?xml version="1.0"?>
<!-- The database of MIME types as a page: types by their kind, with what they are called, how their names end and what
     they are a kind of; and for every language the types that have a name in it. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:m="http://www.freedesktop.org/standards/shared-mime-info" exclude-result-prefixes="m">
  <xsl:output method="html" encoding="UTF-8"/>
  <xsl:key name="kind" match="m:mime-type" use="substring-before(@type, '/')"/>
  <xsl:key name="type" match="m:mime-type" use="@type"/>
  <xsl:key name="heir" match="m:mime-type" use="m:sub-class-of/@type"/>
  <xsl:key name="language" match="m:comment" use="@xml:lang"/>

  <xsl:template match="/">
    <html>
      <body>
        <xsl:for-each select="//m:mime-type[generate-id() = generate-id(key('kind', substring-before(@type, '/'))[1])]">
          <xsl:sort select="@type"/>
          <xsl:variable name="kind" select="substring-before(@type, '/')"/>
          <h1><xsl:value-of select="$kind"/> (<xsl:value-of select="count(key('kind', $kind))"/>)</h1>
          <xsl:apply-templates select="key('kind', $kind)">
            <xsl:sort select="m:comment[not(@xml:lang)]"/>
          </xsl:apply-templates>
        </xsl:for-each>
        <xsl:for-each select="//m:comment[generate-id() = generate-id(key('language', @xml:lang)[1])]">
          <xsl:sort select="@xml:lang"/>
          <h1><xsl:value-of select="@xml:lang"/></h1>
          <xsl:for-each select="key('language', @xml:lang)">
            <xsl:sort select="." lang="en"/>
            <xsl:if test="string-length(.) &gt; 12 or contains(., ' ')">
              <a href="#{translate(../@type, '/', '-')}"><xsl:value-of select="normalize-space(.)"/></a>
            </xsl:if>
          </xsl:for-each>
        </xsl:for-each>
      </body>
    </html>
  </xsl:template>

  <xsl:template match="m:mime-type">
    <h2 id="{translate(@type, '/', '-')}"><xsl:value-of select="m:comment[not(@xml:lang)]"/></h2>
    <p>
      <xsl:for-each select="m:glob">
        <xsl:sort select="@pattern"/>
        <code><xsl:value-of select="@pattern"/></code>
      </xsl:for-each>
      <xsl:for-each select="m:sub-class-of">
        a kind of <a href="#{translate(@type, '/', '-')}"><xsl:value-of select="key('type', @type)/m:comment[1]"/></a>
      </xsl:for-each>
      <xsl:for-each select="key('heir', @type)">
        <xsl:sort select="@type"/>
        <xsl:value-of select="concat(@type, ' ')"/>
      </xsl:for-each>
    </p>
    <dl>
      <xsl:for-each select="m:comment[@xml:lang]">
        <xsl:sort select="@xml:lang"/>
        <dt><xsl:value-of select="@xml:lang"/></dt>
        <dd><xsl:value-of select="."/></dd>
      </xsl:for-each>
    </dl>
  </xsl:template>
</xsl:stylesheet>
