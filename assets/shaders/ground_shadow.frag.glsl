// From the shadow map to what falls on the ground: how much is covered, and how far above the ground the cover is.
in vec2 uv;
uniform sampler2D depths;
uniform vec3 ground;    // depth of the ground in the light's picture: x u + y v + z
uniform float reach;    // depth difference that counts as far
out vec4 color;

void main() {
    float depth = texture(depths, uv).r;
    float gap = dot(ground, vec3(uv, 1.0)) - depth;
    float cover = depth < 1.0 && gap > -1e-4 ? 1.0 : 0.0;
    color = vec4(cover, cover * clamp(gap / reach, 0.0, 1.0), 0.0, 1.0);
}
